import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { Button } from "#components/button.tsx";
import type { OfferAnswer } from "#lib/identity/schema.ts";
import type { FormPart } from "../../../browser/form-fields.tsx";
import { writePounds } from "../../../browser/pounds.ts";
import { textOf } from "../../../browser/use-form.ts";
import { StepForm } from "../frame/step-form.tsx";
import { useMe } from "../overview/me.ts";
import { Split } from "../tasks/payment-fields.tsx";
import { TemplateBar } from "../templates/template-bar.tsx";
import { type Offer, ORDER, OrderFields, readOrderForm } from "./order-fields.tsx";

const TEXTS = [
  { name: "description", label: "Description", rows: 3 },
  { name: "input", label: "Input", rows: 2 },
  { name: "output", label: "Output", rows: 2 },
  { name: "limits", label: "Limits", rows: 2 },
] as const;

/** The form for a new offer, or for a change of `offer`. */
export function OfferForm({ offer, done, away }: { offer?: Offer; done: () => void; away: () => void }) {
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
        beside={<Button onClick={away}>Not now</Button>}
        above={(form) => <TemplateBar kind="offer" form={form} parts={[...parts, ...ORDER]} />}
        onInput={({ currentTarget }) => setPrice(textOf(new FormData(currentTarget), "price"))}
        done={done}
      />
    </div>
  );
}
