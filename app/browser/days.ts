/** For how long a program may be given access. */
export const ACCESS_DAYS = [
  { value: "1", label: "One day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
];
