type BaseOf<V> = V extends string
  ? "text"
  : V extends number
    ? "integer"
    : V extends boolean
      ? "flag"
      : V extends readonly unknown[]
        ? "list"
        : "object";

/** What the package says of a field's value; with a question mark if it may be null, or is left out at times. */
type KindOf<V> = null extends V
  ? `${BaseOf<NonNullable<V>>}?`
  : undefined extends V
    ? `${BaseOf<NonNullable<V>>}?`
    : BaseOf<V>;

/** Fields that the package knows, with the kinds and nullability that it states. */
export type Observed<T> = { [K in keyof T]?: KindOf<T[K]> };
