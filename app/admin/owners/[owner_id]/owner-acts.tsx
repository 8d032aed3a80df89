import { plainLine } from "#components/user-text/pieces.ts";
import type { OwnerFacts } from "#lib/admin/page-reads/owners.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";

/** The decisions about a person's account. */
export function OwnerActs({ owner, own }: { owner: OwnerFacts; own: boolean }) {
  const { id, email, role, disabledAt, sessions } = owner;
  const name = plainLine(owner.name);
  const fields = { owner_id: id };
  const who = `${name} (${email})`;
  return (
    <Acts own={own}>
      {disabledAt ? (
        <Act
          act="enable_owner"
          title="Enable the account"
          send={`Enable ${name}`}
          about={fields}
          done={`${name} can sign in again.`}
        >
          <p>Its owner can sign in again. Sessions that were ended are not restored.</p>
        </Act>
      ) : (
        <Act
          act="disable_owner"
          title="Disable the account"
          send={`Disable ${name}`}
          about={fields}
          question={{
            title: `Disable the account of ${who}?`,
            action: "Disable this account",
            text: "Nobody can sign in to it, and its sessions and connected programs end at once. Its agents keep working: suspend or hold them separately.",
          }}
          done={`${name} is disabled, and its sessions have ended.`}
        >
          <p>
            Nobody can sign in to it, and its sessions and connected programs end at once. Its agents keep working:
            suspend or hold them separately if needed.
          </p>
        </Act>
      )}
      <Act
        act="end_sessions"
        title="End all sessions"
        send={`End the sessions of ${name}`}
        about={fields}
        question={{
          title: `End all sessions of ${who}?`,
          action: "End these sessions",
          text: `${sessions === 1 ? "One session is" : `${sessions} sessions are`} open. The owner can sign in again.`,
        }}
        done={`The sessions of ${name} have ended.`}
      >
        <p>The owner has to sign in again in every browser.</p>
      </Act>
      <Act
        act="reset_password"
        title="Reset the password"
        send={`Reset the password of ${name}`}
        about={fields}
        question={{
          title: `Reset the password of ${who}?`,
          action: "Reset this password",
          text: "The old password stops working, all sessions end, and passkeys, the authenticator app and recovery codes are removed. The new password is shown to you once.",
        }}
        done={`${name} has a new password.`}
      >
        <p>
          For an owner who can no longer sign in. First make sure that you are talking to the account’s owner. All
          sessions end and second factors are removed; the new password is shown to you once.
        </p>
      </Act>
      {role === "administrator" ? (
        <Act
          act="demote"
          title="Demote to owner"
          send={`Demote ${name}`}
          about={fields}
          question={{
            title: `Demote ${who}?`,
            action: "Demote to owner",
            text: "The account loses access to the administration at once. It keeps its agents and sessions.",
          }}
          done={`${name} is no longer an administrator.`}
        >
          <p>It loses access to the administration at once. It keeps its agents and sessions.</p>
        </Act>
      ) : disabledAt ? null : (
        <Act
          act="promote"
          title="Make administrator"
          send={`Make ${name} an administrator`}
          about={fields}
          question={{
            title: `Make ${who} an administrator?`,
            action: "Make administrator",
            text: "The account gets a new password, which is shown to you once. Its sessions end, and linked sign-ins and second factors are removed.",
          }}
          done={`${name} is an administrator, with a new password.`}
        >
          <p>
            Anyone can register any e-mail address, so first make sure whose account this is. It gets a new password,
            its sessions end, and linked sign-ins and second factors are removed.
          </p>
        </Act>
      )}
    </Acts>
  );
}
