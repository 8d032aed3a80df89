import type { ComponentProps } from "react";

const LOOKS = {
  plain: "button",
  primary: "button button-primary",
  link: "underline decoration-accent decoration-1 underline-offset-[0.2em] hover:decoration-2",
} as const;

type Props = Omit<ComponentProps<"button">, "type" | "className"> & { look?: keyof typeof LOOKS; pending?: boolean };

/** A button that acts on its own; `SendButton` submits a form. While it is `pending`, it keeps the focus but does nothing. */
export function Button({ look = "plain", pending = false, onClick, ...rest }: Props) {
  return (
    <button
      {...rest}
      type="button"
      onClick={pending ? undefined : onClick}
      aria-disabled={pending || undefined}
      className={LOOKS[look]}
    />
  );
}
