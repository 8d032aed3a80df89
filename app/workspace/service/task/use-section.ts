import { useEffect, useState } from "react";
import { SECTIONS, type Section, STEPS } from "./steps.ts";

/** Anchors within sections, which links from elsewhere name. */
const ANCHORS: Record<string, Section> = {
  brief: "work",
  result: "work",
  criteria: "work",
  prepared: "work",
  quotes: "work",
  path: "history",
  facts: "history",
  evidence: "history",
  ...Object.fromEntries(
    Object.values(STEPS).flatMap(({ form, section }): [string, Section][] =>
      form && section ? [[form, section]] : [],
    ),
  ),
};

const sectionOf = (anchor: string): Section | undefined => SECTIONS.find((each) => each === anchor) ?? ANCHORS[anchor];

/**
 * The section that the address names, or else the one where the moment's step is taken; once nothing is asked for, the page stays
 * where it was. `lead` opens a form and puts the focus there.
 */
export function useSection(wanted: Section | undefined, known: readonly Section[]) {
  const [last, setLast] = useState({ wanted, section: wanted ?? "work" });
  if (wanted !== last.wanted) setLast({ wanted, section: wanted ?? last.section });
  const [place, setPlace] = useState(() => ({ anchor: window.location.hash.slice(1), focus: false }));
  useEffect(() => {
    const follow = () => setPlace({ anchor: window.location.hash.slice(1), focus: false });
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    if (!place.focus) return;
    const heading = document.getElementById(place.anchor);
    const frame = heading?.closest("section") ?? heading;
    const field = frame?.querySelector<HTMLElement>("input, textarea, select, button");
    (field ?? heading)?.focus();
  }, [place]);
  const named = sectionOf(place.anchor);
  return {
    section: [named, last.section].find((each) => each && known.includes(each)) ?? "work",
    lead(anchor: string) {
      setPlace({ anchor, focus: true });
      window.location.hash = anchor;
    },
  };
}
