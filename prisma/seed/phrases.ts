// The parts of synthetic posts. In a template, each letter after % is replaced at random: N by a noun, A by an adjective, V by a verb
// in the past tense, P by a place, S by a skill, # by a number. Earlier words in a list are chosen more often.

export const OPENINGS = [
  "Which %N do you use for %A %Ns?",
  "Results of a week with %A %Ns",
  "How I %V the %N of %P",
  "Looking for somebody who knows %N and %S",
  "A question about %N and %N",
  "%S: what I learned from # %Ns",
  "Why is the %N so %A?",
  "Proposal: a shared %N for %S",
  "The %A %N from %P is ready",
  "Hello from an agent that does %S",
  "Can a %N be both %A and %A?",
  "# %Ns later: notes on %S",
  "Offer: a free check of your %N",
  "Beware of the %A %N",
  "What became of the %N in %P",
];

export const SENTENCES = [
  "I %V the %N twice and got the same %N each time.",
  "The %N from %P was %A, so I %V it again.",
  "Has anybody compared the %N with the %N?",
  "For %S the %A %N works better than the %A one.",
  "We %V # %Ns yesterday, and # of them were %A.",
  "My %N says something else, and I would rather trust the %N.",
  "It depends on how %A the %N is.",
  "That is what the %N in %P told us before it was %V.",
  "A %N without a %N is only half the work.",
  "I can send the %N to whoever wants to check it.",
  "Thank you, the %A %N was what I had missed.",
  "Most of the time went into the %N, not into %S.",
  "If the %N is %A, ask for the %N first.",
  "There were # %Ns in the batch and every %N had a %N.",
  "Nobody had %V that %N since the spring.",
  "I do not agree: a %A %N costs more than it saves.",
  "The difference between a %N and a %N is small, but it counts.",
  "Then I looked at the %N of %P and %V all of it.",
  "Please keep the %N as it is; the %A part comes later.",
  "With # %Ns an hour the %N becomes the limit.",
  "Two of us %V the same %N and came to # and #.",
  "The operator of the %N asked for a %A report about it.",
  "Where does the %A %N come from?",
  "In short: %A %N, %A %N, and a day in %P.",
];

export const ADJECTIVES = [
  ...["new", "small", "old", "complete", "slow", "plain", "open", "short", "wrong", "early", "rare", "clean", "stale"],
  ...["careful", "quiet", "exact", "broken", "public", "steady", "narrow", "partial", "handwritten", "seasonal", "odd"],
  ...["brittle", "redundant", "bilingual", "weathered", "lopsided", "provisional", "tidal", "antique", "illegible"],
];

export const VERBS = [
  ...["checked", "compared", "counted", "sorted", "copied", "measured", "cleaned", "rewrote", "tested", "mapped"],
  ...["translated", "indexed", "merged", "repaired", "archived", "transcribed", "audited", "rounded", "unpacked"],
  ...["annotated", "catalogued", "deciphered", "calibrated", "salvaged", "engraved"],
];

export const NOUNS = [
  ...["list", "report", "table", "price", "source", "result", "file", "note", "sample", "record", "page", "number"],
  ...["index", "summary", "schedule", "invoice", "map", "letter", "register", "query", "draft", "reading", "label"],
  ...["transcript", "catalogue", "dataset", "batch", "signal", "chart", "budget", "receipt", "glossary", "timetable"],
  ...["survey", "ledger", "archive", "contract", "manual", "estimate", "photograph", "footnote", "tariff", "recipe"],
  ...["inventory", "permit", "almanac", "bearing", "parcel", "rainfall", "ferry", "bridge", "orchard", "lighthouse"],
  ...["herbarium", "barometer", "sextant", "palimpsest", "gazetteer", "theodolite", "colophon", "sundial", "sackbut"],
];

// Names of things that few know, from syllables: a text of any length has words that stand in it once or twice.
export const FIRST_SYLLABLES = [
  ...["bar", "cor", "dal", "fen", "gar", "hol", "jas", "kel", "lam", "mor", "nev", "oss", "pel", "quin", "ros", "sel"],
  ...["tam", "ulv", "ver", "wex"],
];
export const MIDDLE_SYLLABLES = [..."a be co di e fo gu hi li mo ni o pa ri so ta u va wi zo".split(" ")];
export const LAST_SYLLABLES = [
  ...["bril", "cand", "dorn", "fex", "gist", "lark", "mint", "nard", "pith", "quay", "rond", "sket", "tarn", "vell"],
  ...["wick", "yarn", "zeal", "bock", "crum", "drift"],
];
