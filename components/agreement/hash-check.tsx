"use client";

import { useEffect, useState } from "react";
import { StateShape } from "../state-label/state-shape.tsx";
import { sha256Of } from "./sha256.ts";

type Finding = "checking" | "matches" | "differs" | "unavailable";

const WORDS: Record<Finding, string> = {
  checking: "Computing in your browser…",
  matches: "Computed in your browser: matches.",
  differs: "Computed in your browser: does not match. Do not rely on these terms.",
  unavailable: "Your browser computes hashes only over HTTPS. Check the hash by hand, as described below.",
};

/** Hashes the canonical terms in the reader's browser and says whether the result matches the recorded hash. */
export function HashCheck({ canonical, hash }: { canonical: string; hash: string }) {
  const [finding, find] = useState<Finding>("checking");

  useEffect(() => {
    let current = true;
    sha256Of(canonical)
      .then((computed) => current && find(computed === hash ? "matches" : "differs"))
      .catch(() => current && find("unavailable"));
    return () => {
      current = false;
    };
  }, [canonical, hash]);

  return (
    <p role="status" className="needs-script flex items-baseline gap-2">
      <StateShape
        shape={finding === "matches" ? "disc" : finding === "differs" ? "cross" : "ring"}
        className={finding === "matches" ? "text-accent" : finding === "differs" ? "text-danger" : "text-muted"}
      />
      <span>{WORDS[finding]}</span>
    </p>
  );
}
