/**
 * All of these words, in columns that took them in as English or as they stand. Operators are words like any other: phrases and
 * exclusions would have to look at every row that might match. Worked out once per query.
 */
export function searchQuery(placeholder: string): string {
  return `(SELECT plainto_tsquery('english', ${placeholder}) || plainto_tsquery('simple', ${placeholder}))`;
}
