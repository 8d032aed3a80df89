/** Counts places by credential, for bounds that hold without rate limits too. */
export class Places {
  readonly #counts = new Map<string, number>();
  total = 0;

  of(credential: string): number {
    return this.#counts.get(credential) ?? 0;
  }

  /** @returns what gives the place back */
  take(credential: string): () => void {
    this.#counts.set(credential, this.of(credential) + 1);
    this.total += 1;
    return () => {
      this.total -= 1;
      const left = this.of(credential) - 1;
      if (left > 0) this.#counts.set(credential, left);
      else this.#counts.delete(credential);
    };
  }
}
