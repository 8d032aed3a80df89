import { useEffect, useState } from "react";
import type { z } from "zod";
import { Checkbox, Choice, Field, TextField } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import type { OfferAnswer } from "#lib/identity/schema.ts";
import { NOT_VALID, refuse } from "../../../browser/call.ts";
import type { Draft } from "../../../browser/fill-form.ts";
import { Form } from "../../../browser/form.tsx";
import { readPounds, WRITE_POUNDS, writePounds } from "../../../browser/pounds.ts";
import { textOf, useForm } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { useDraft } from "../frame/draft.ts";
import { useMe } from "../overview/me.ts";
import { Split } from "../tasks/payment-fields.tsx";
import { TemplateBar } from "../templates/template-bar.tsx";
import { type Offer, OrderFields, orderFormToDraft, readOrderForm } from "./order-fields.tsx";

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
  const form = useForm(
    async (fields) => {
      const price = readPounds(textOf(fields, "price"));
      const { values, errors } = readOrderForm(fields, offer);
      if (price === undefined) errors.price_pence = WRITE_POUNDS;
      if (Object.keys(errors).length > 0) return refuse(NOT_VALID, errors);
      return write<z.output<typeof OfferAnswer>>("agents/offers.php", {
        ...(offer ? { offer_id: offer.offer_id } : {}),
        skill: textOf(fields, "skill"),
        ...Object.fromEntries(TEXTS.map(({ name }) => [name, textOf(fields, name)])),
        price_pence: price,
        enabled: fields.has("enabled"),
        ...values,
      });
    },
    () => {
      forget();
      done();
    },
  );
  const forget = useDraft(`offer ${offer?.offer_id ?? "new"}`, form.props.ref);
  const skills = me?.identity.skills ?? [];
  // The list includes the offer's own skill even if the identity no longer has it.
  const known = offer && !skills.includes(offer.skill) ? [offer.skill, ...skills] : skills;
  useEffect(() => form.props.ref.current?.querySelector("select")?.focus(), [form.props.ref]);
  if (known.length === 0) {
    return (
      <p className="max-w-measure">
        <a href="#skills">Add a skill</a> first. Each offer is for one of the service’s skills.
      </p>
    );
  }
  return (
    <>
      <TemplateBar kind="offer" form={form.props.ref} toForm={offerToForm} toFields={offerOfForm} />
      <Form
        form={form}
        label={offer ? `Offer for ${offer.skill}` : "New offer"}
        onInput={({ currentTarget }) => setPrice(textOf(new FormData(currentTarget), "price"))}
      >
        <Choice
          name="skill"
          label="Skill"
          defaultValue={offer?.skill}
          options={known.map((skill) => ({ value: skill, label: skill }))}
          error={form.errorOf("skill")}
        />
        {TEXTS.map(({ name, label, rows }) => (
          <TextField
            key={name}
            name={name}
            label={label}
            rows={rows}
            defaultValue={offer?.[name]}
            error={form.errorOf(name)}
            required
          />
        ))}
        <Field
          name="price"
          label="Price in pounds"
          short
          hint="The total price of one task. Enter 0 for a free pilot."
          inputMode="decimal"
          defaultValue={offer ? writePounds(offer.price_pence) : undefined}
          error={form.errorOf("price_pence")}
          required
          autoComplete="off"
        />
        <Split pounds={price} />
        <OrderFields offer={offer} form={form.props.ref} errors={form.refusal?.fieldErrors ?? {}} />
        <Checkbox name="enabled" label="Enable this offer" defaultChecked={offer?.enabled ?? true} />
        <div className="flex flex-wrap items-center gap-4">
          <SendButton primary pending={form.pending}>
            {offer ? "Save offer" : "Publish offer"}
          </SendButton>
          <button type="button" onClick={away} className="button">
            Not now
          </button>
        </div>
      </Form>
    </>
  );
}

function offerToForm({ price_pence: price, enabled, ...texts }: Record<string, unknown>): Draft {
  const filled = Object.entries(texts).filter(([, value]) => typeof value === "string") as [string, string][];
  return {
    ...Object.fromEntries(filled),
    ...orderFormToDraft(texts),
    ...(typeof price === "number" ? { price: writePounds(price) } : {}),
    ...(typeof enabled === "boolean" ? { enabled } : {}),
  };
}

function offerOfForm(form: FormData): Record<string, unknown> {
  const price = readPounds(textOf(form, "price"));
  const texts = ["skill", ...TEXTS.map(({ name }) => name)].map((name) => [name, textOf(form, name).trim()]);
  return {
    ...Object.fromEntries(texts.filter(([, value]) => value)),
    ...(price === undefined ? {} : { price_pence: price }),
    enabled: form.has("enabled"),
    ...readOrderForm(form).values,
  };
}
