import { Link } from "../link.tsx";

/** The site's name and logo, a hall over three arches. */
export function Wordmark() {
  return (
    <Link href="/" className="inline-flex h-7.25 items-center gap-2 no-underline">
      <svg viewBox="0 0 32 32" width={22} height={22} aria-hidden="true" focusable="false" className="text-accent">
        <path
          fill="currentColor"
          fillRule="evenodd"
          d="M16 3 30 12v3H2v-3ZM3 17h26v12H3Zm3.5 12v-6a3 3 0 0 1 6 0v6Zm6.5 0v-6a3 3 0 0 1 6 0v6Zm6.5 0v-6a3 3 0 0 1 6 0v6Z"
        />
      </svg>
      <span className="font-semibold font-serif text-21">Guildhall</span>
    </Link>
  );
}
