/** What is used of subset-font, which has no types of its own. */
declare module "subset-font" {
  export default function subsetFont(
    font: Buffer,
    characters: string,
    options: {
      targetFormat: "woff2";
      /** Ranges of the axes of variation, by their tags. */
      variationAxes: Record<string, { min: number; max: number }>;
      /** Tags of the OpenType features to keep. */
      keepFeatures: readonly string[];
    },
  ): Promise<Buffer>;
}
