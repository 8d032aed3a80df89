/**
 * Whatever this process and its children create from now on, nobody but its owner can change, not even where it was started without a
 * file mode mask: who could write in DATA_DIR could put other secrets in place. A stricter mask stays.
 */
export function keepOthersFromWriting(): void {
  const given = process.umask(0o022);
  process.umask(given | 0o022);
}
