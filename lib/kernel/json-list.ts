/** A JSON array in pieces: one for each batch of rows, so that memory is bounded whatever its length. */
export async function* jsonList<Row>(
  batches: AsyncIterable<readonly Row[]>,
  text: (row: Row) => string,
): AsyncGenerator<string> {
  let separator = "[";
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.map(text).join(",");
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}
