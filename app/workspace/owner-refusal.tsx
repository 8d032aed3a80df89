import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";

/** A refusal with the owner's remedies for an ended or changed session. */
export function OwnerRefusal({ refusal }: { refusal: Refusal }) {
  if (refusal.code === "invalid_credential") {
    return (
      <RefusalNote refusal={{ ...refusal, message: "Your session has ended, so this was not sent." }}>
        <a href="/sign-in" target="_blank" rel="noreferrer">
          Sign in in a new tab
        </a>
        , then send it again here. The form keeps what you typed.
      </RefusalNote>
    );
  }
  if (refusal.code === "csrf_failed") {
    return (
      <RefusalNote refusal={{ ...refusal, message: "Your session changed in another tab, so this was not sent." }}>
        Try again.
      </RefusalNote>
    );
  }
  return <RefusalNote refusal={refusal} />;
}
