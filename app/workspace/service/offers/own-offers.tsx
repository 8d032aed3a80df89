import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { Button } from "#components/button.tsx";
import { RefusalNote } from "#components/form/refusal.tsx";
import { Money } from "#components/money/money.tsx";
import { Part } from "#components/part.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { MyOffersAnswer, OfferAnswer } from "#lib/identity/schema.ts";
import type { RehearsalAnswer } from "#lib/settlements/rehearsals/schema.ts";
import type { FormPart } from "../../../browser/form-fields.tsx";
import { writePounds } from "../../../browser/pounds.ts";
import { StepDialog } from "../../../browser/step-dialog.tsx";
import { textOf, useSend } from "../../../browser/use-form.ts";
import { read, write } from "../connection/service-call.ts";
import { refreshAll, useResource } from "../connection/use-resource.ts";
import { Freshness } from "../frame/freshness.tsx";
import { useStatus } from "../frame/installation.ts";
import { PageSteps, usePages } from "../frame/pages.tsx";
import { StepForm } from "../frame/step-form.tsx";
import { goTo, taskPath, ViewLink, viewPath } from "../frame/view-link.tsx";
import { meResource, useMe } from "../overview/me.ts";
import { Split } from "../tasks/payment-fields.tsx";
import { TemplateBar } from "../templates/template-bar.tsx";
import { type Offer, ORDER, OrderFields, orderFormOf, readOrderForm } from "./order-fields.tsx";

type Listed = z.output<typeof MyOffersAnswer>;

/** All offers of the identity, including disabled ones. Each is edited in place. */
export function OwnOffers() {
  const pages = usePages();
  const { cursor } = pages;
  const list = useResource<Listed>(`offers:${cursor ?? ""}`, () => read<Listed>("agents/my_offers.php", { cursor }), {
    everySeconds: 60,
  });
  const takesWork = useMe().body?.identity.endpoint !== null;
  const [edited, setEdited] = useState<string | null>(null);
  useFocusBack(edited);

  function published() {
    setEdited(null);
    refreshAll("offers:");
    meResource().refresh();
  }

  return (
    <Part id="offers" title="Offers" className="">
      <Freshness reading={list} />
      <ul className="border-ink border-t">
        {list.body?.offers.map((offer) => (
          <li key={offer.offer_id} className="border-rule border-b py-4">
            {edited === offer.offer_id ? (
              <OfferForm offer={offer} done={published} away={() => setEdited(null)} />
            ) : (
              <OwnOffer offer={offer} edit={() => setEdited(offer.offer_id)} changed={published} />
            )}
          </li>
        ))}
      </ul>
      {takesWork ? null : (
        <p className="py-4 text-17">
          This identity can order work, but not take it.{" "}
          <ViewLink href={viewPath("overview")}>Set an agent URL</ViewLink>, so that it can publish offers.
        </p>
      )}
      {takesWork && list.body?.offers.length === 0 ? (
        <p className="py-4 text-17">
          {cursor
            ? "There are no older offers."
            : "You have no offers yet. Publish one, so that requesters can find this service by skill and price."}
        </p>
      ) : null}
      <PageSteps pages={pages} next={list.body?.next_cursor ?? null} />
      <div className="mt-6">
        {edited === "new" ? (
          <OfferForm done={published} away={() => setEdited(null)} />
        ) : takesWork ? (
          <Button id={buttonOf("new")} onClick={() => setEdited("new")}>
            New offer
          </Button>
        ) : null}
      </div>
    </Part>
  );
}

const buttonOf = (edited: string) => `edit-${edited}`;

/** When a form closes, the focus returns to the button that opened it. */
function useFocusBack(edited: string | null): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (edited === null && last.current !== null) document.getElementById(buttonOf(last.current))?.focus();
    last.current = edited;
  }, [edited]);
}

function OwnOffer({ offer, edit, changed }: { offer: Offer; edit: () => void; changed: () => void }) {
  const { pending, refusal, send } = useSend();
  const { body: status } = useStatus();

  async function toggle() {
    const { offer_id, skill, description, input, output, limits, price_pence, enabled } = offer;
    const outcome = await send(() =>
      write<z.output<typeof OfferAnswer>>("agents/offers.php", {
        offer_id,
        skill,
        description,
        input,
        output,
        limits,
        price_pence,
        ...orderFormOf(offer),
        enabled: !enabled,
      }),
    );
    if (outcome?.ok) changed();
  }

  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h3 className="min-w-0 flex-1 font-semibold text-17 [overflow-wrap:anywhere]">{offer.skill}</h3>
        <span className="flex items-baseline gap-2 text-13">
          <StateShape
            shape={offer.enabled ? "disc" : "ring"}
            className={offer.enabled ? "text-accent" : "text-muted"}
          />
          {offer.enabled ? "Enabled" : "Disabled"}
        </span>
        <span className="font-semibold text-17">
          <Money
            pence={offer.price_pence}
            mode={status?.payment_modes.includes("LIVE") ? undefined : "TEST"}
            zero="Free"
          />
        </span>
      </div>
      <div className="mt-1 line-clamp-3 max-w-measure">
        <PostText text={offer.description} plain />
      </div>
      <RefusalNote refusal={refusal} className="mt-3">
        {refusal?.fieldErrors.skill
          ? "You have removed this offer’s skill. Add the skill again above, or edit the offer."
          : null}
      </RefusalNote>
      <p className="mt-3 flex flex-wrap gap-3">
        <Button id={buttonOf(offer.offer_id)} onClick={edit} aria-label={`Edit the offer for ${offer.skill}`}>
          Edit
        </Button>
        <Button
          onClick={toggle}
          pending={pending}
          aria-label={`${offer.enabled ? "Disable" : "Enable"} the offer for ${offer.skill}`}
        >
          {offer.enabled ? "Disable" : "Enable"}
        </Button>
        {offer.enabled && offer.example_input !== null ? <Rehearse offer={offer} changed={changed} /> : null}
      </p>
      {offer.last_rehearsal ? <LastRehearsal rehearsal={offer.last_rehearsal} /> : null}
    </>
  );
}

/** Has the installation itself order the offer's example, for free. */
function Rehearse({ offer, changed }: { offer: Offer; changed: () => void }) {
  return (
    <StepDialog
      label="Rehearse"
      of={`the offer for ${offer.skill}`}
      title={`Rehearse the offer for ${offer.skill}?`}
      action="Rehearse"
      send={() => write<z.output<typeof RehearsalAnswer>>("agents/rehearse.php", { offer_id: offer.offer_id })}
      done={({ rehearsal }) => {
        changed();
        refreshAll("rehearsals");
        refreshAll("waiting");
        if (rehearsal.task_id) goTo(taskPath(rehearsal.task_id));
      }}
    >
      <p>
        This installation orders the offer’s example as a free TEST task. Claim it, accept the agreement, start and
        submit the work within 15 minutes, or let the agent do it. The result is checked against the offer, and the
        outcome stands on the offer with its date.
      </p>
    </StepDialog>
  );
}

function LastRehearsal({ rehearsal: { state, at, reason } }: { rehearsal: NonNullable<Offer["last_rehearsal"]> }) {
  return (
    <p className="mt-2 text-13 text-muted">
      Rehearsed <Timestamp at={at} form="moment" />: {state}
      {reason ? `. ${reason}` : ""}
    </p>
  );
}

const TEXTS = [
  { name: "description", label: "Description", rows: 3 },
  { name: "input", label: "Input", rows: 2 },
  { name: "output", label: "Output", rows: 2 },
  { name: "limits", label: "Limits", rows: 2 },
] as const;

/** The form for a new offer, or for a change of `offer`. */
function OfferForm({ offer, done, away }: { offer?: Offer; done: () => void; away: () => void }) {
  const { body: me } = useMe();
  const [price, setPrice] = useState(offer ? writePounds(offer.price_pence) : "");
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.querySelector("select")?.focus(), []);
  const skills = me?.identity.skills ?? [];
  // The list includes the offer's own skill even if the identity no longer has it.
  const known = offer && !skills.includes(offer.skill) ? [offer.skill, ...skills] : skills;
  if (known.length === 0) {
    return (
      <p className="max-w-measure">
        <a href="#skills">Add a skill</a> first. Each offer is for one of the service’s skills.
      </p>
    );
  }
  const parts: FormPart[] = [
    {
      name: "skill",
      label: "Skill",
      value: offer?.skill,
      options: known.map((skill) => ({ value: skill, label: skill })),
    },
    ...TEXTS.map((text) => ({ ...text, value: offer?.[text.name], required: true })),
    {
      name: "price",
      wire: "price_pence",
      label: "Price in pounds",
      hint: "The total price of one task. Enter 0 for a free pilot.",
      as: "pounds",
      required: true,
      value: offer ? writePounds(offer.price_pence) : undefined,
    },
    () => <Split pounds={price} />,
    (form) => <OrderFields offer={offer} form={form} />,
    { name: "enabled", label: "Enable this offer", as: "tick", value: (offer?.enabled ?? true) ? "yes" : "" },
  ];
  return (
    <div ref={frame}>
      <StepForm<z.output<typeof OfferAnswer>>
        label={offer ? `Offer for ${offer.skill}` : "New offer"}
        path="agents/offers.php"
        about={offer ? { offer_id: offer.offer_id } : {}}
        parts={parts}
        more={(fields) => readOrderForm(fields, offer)}
        draft={`offer ${offer?.offer_id ?? "new"}`}
        action={offer ? "Save offer" : "Publish offer"}
        primary
        before={<Button onClick={away}>Not now</Button>}
        above={(form) => <TemplateBar kind="offer" form={form} parts={[...parts, ...ORDER]} />}
        onInput={({ currentTarget }) => setPrice(textOf(new FormData(currentTarget), "price"))}
        done={done}
      />
    </div>
  );
}
