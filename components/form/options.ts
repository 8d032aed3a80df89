export type Option = { value: string; label: string };

/** The options of a choice, from their labels by value. Pure. */
export const optionsOf = (labels: Readonly<Record<string, string>>): Option[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
