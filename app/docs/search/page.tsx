import type { Metadata } from "next";
import { SEARCH } from "#components/reference/model.ts";
import { Described } from "#components/reference/prose.tsx";
import { readReference } from "../reference.ts";
import { ReferencePage } from "../reference-page.tsx";
import { searchReference } from "./search.ts";

export const metadata: Metadata = { title: "Search, docs", robots: { index: false } };

const MOST_CHARACTERS = 200;

type Props = { searchParams: Promise<{ q?: string | string[] }> };

export default async function SearchPage({ searchParams }: Props) {
  const { q = "" } = await searchParams;
  const words = (typeof q === "string" ? q : (q[0] ?? "")).trim().slice(0, MOST_CHARACTERS);
  const found = searchReference(readReference(), words);
  return (
    <ReferencePage path={SEARCH} title="Search the reference" chapters={[]} query={words}>
      <p role="status" className="mb-4 text-muted">
        {summaryOf(words, found.length)}
      </p>
      <ul className="call-list">
        {found.map(({ href, title, path, text }) => (
          <li key={href} className="call-row">
            <div className="min-w-0">
              <h2 className="call-row-title">
                <a href={href}>{title}</a>
              </h2>
              <p className="max-w-measure text-13 text-muted">
                <Described text={text} />
              </p>
            </div>
            {path ? <code className="call-row-path">{path}</code> : null}
          </li>
        ))}
      </ul>
    </ReferencePage>
  );
}

function summaryOf(words: string, count: number): string {
  if (!words) return "Search for a call, a field, a shape or an error code.";
  if (count === 0) return "Nothing matches. Try fewer words, or part of a path or field name.";
  return count === 1 ? "1 match" : `${count} matches, best first`;
}
