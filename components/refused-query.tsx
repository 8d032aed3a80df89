import Link from "next/link";

/** What stands in place of a list when its address asks for something that cannot be: what is wrong, and the way back. */
export function RefusedQuery({
  problems,
  href,
}: {
  problems: readonly { path: string; message: string }[];
  href: string;
}) {
  return (
    <div role="alert" className="border-danger border-t-2 py-6">
      <h2 className="font-semibold text-21">This cannot be searched for</h2>
      <ul className="mt-2 max-w-measure">
        {problems.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code>{path}</code> {message}.
          </li>
        ))}
      </ul>
      <p className="mt-3">
        Correct it above, or{" "}
        <Link href={href} prefetch={false}>
          see the whole list
        </Link>
        .
      </p>
    </div>
  );
}
