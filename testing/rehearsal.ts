import { type StandInOptions, StripeStandIn } from "#stripe-stand-in/stand-in.ts";

// LIVE as a rehearsal against a stand-in of Stripe.

export const WEBHOOK_SECRET = "whsec_test_platform";
export const CONNECT_SECRET = "whsec_test_connect";
/** Signs the thin events of connected accounts, which come to the same address from another destination. */
export const THIN_SECRET = "whsec_test_thin";

/** The operator keeps money of their own at Stripe, for what refunds and chargebacks cost. */
const PLATFORM_PENCE = 1_000_000;

/** A stand-in that sends its events to the service at this origin. */
export function startStripe(options: StandInOptions = {}, origin = "http://localhost:3000"): Promise<StripeStandIn> {
  const url = `${origin}/api/v1/payments`;
  return StripeStandIn.start({
    livemode: false,
    platformPence: PLATFORM_PENCE,
    endpoints: {
      platform: { url: `${url}/webhook.php`, secret: WEBHOOK_SECRET },
      connect: { url: `${url}/webhook_connect.php`, secret: CONNECT_SECRET },
      accounts: { url: `${url}/webhook_connect.php`, secret: THIN_SECRET },
    },
    ...options,
  });
}

/** The variables by which the service rehearses LIVE with this stand-in. */
export const rehearsalVariables = ({ secretKey, port }: StripeStandIn) => ({
  PAYMENT_MODE: "LIVE",
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_CONNECT_WEBHOOK_SECRET: `${CONNECT_SECRET},${THIN_SECRET}`,
  STRIPE_REHEARSAL: "1",
  LIVE_TRANSFER_DELAY_DAYS: "0",
  LIVE_NEW_PROVIDER_DELAY_DAYS: "0",
  STRIPE_API_BASE: `http://127.0.0.1:${port}`,
});
