import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { type Outcome, refuse } from "./call.ts";

// The browser's part of WebAuthn, loaded on first use.

const library = () => import("@simplewebauthn/browser");

const REFUSED = "No passkey was used. Try again, or choose another way.";

/** Messages by the name of the browser's error. */
const WORDS: Record<string, string> = {
  NotAllowedError: REFUSED,
  AbortError: REFUSED,
  InvalidStateError: "This device already holds a passkey for your account.",
  SecurityError: "Your browser doesn't allow passkeys at this address. Open the service under its host name.",
};

async function ceremony(
  begin: (webauthn: Awaited<ReturnType<typeof library>>) => Promise<object>,
): Promise<Outcome<object>> {
  try {
    const webauthn = await library();
    if (!webauthn.browserSupportsWebAuthn()) {
      return refuse("This browser doesn't support passkeys here. Choose another way.", {});
    }
    return { ok: true, body: await begin(webauthn) };
  } catch (error) {
    const { name } = error as Error;
    return refuse(WORDS[name] ?? "The passkey could not be used. Try again, or choose another way.", {});
  }
}

/** Asks the person to use one of their passkeys. */
export function askPasskey(options: object): Promise<Outcome<object>> {
  return ceremony(({ startAuthentication }) =>
    startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }),
  );
}

/** Asks the person to create a passkey. */
export function makePasskey(options: object): Promise<Outcome<object>> {
  return ceremony(({ startRegistration }) =>
    startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
  );
}
