import { Defect } from '../defect.ts';
import type { PostbackFormat } from '../merchant/shop.ts';
import type { PostbackEvent } from './event.ts';
import { md5Signature, webhookHeaders } from './signature.ts';

type Sent = PostbackEvent & {
  /** What is known of the payer; absent unless the postback is extended. */
  readonly payer?: Readonly<Record<string, string>>;
};
export type Keys = { readonly token: string; readonly webhookSecrets: readonly string[] };
type SignedRequest = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For redacting a response that echoes it. */
  readonly signature: string;
  /** Also redacted: the other signatures, and what of payer and recipient is shown in full nowhere else. */
  readonly redactions: readonly string[];
};

const contentTypes: Readonly<Record<PostbackFormat, string>> = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
};

/** Returns the POST of one attempt (contract 6): the stored fields, signed with the current keys. */
export function signedRequest(
  event: Sent,
  format: PostbackFormat,
  { token, webhookSecrets }: Keys,
  now: Date,
): SignedRequest {
  const signature = md5Signature(...signedParts(event), token);
  const contract = { ...event.fields, SignatureValue: signature };
  const body = encode({ ...contract, ...event.extended, ...event.payer }, format);
  const headers: Readonly<Record<string, string>> = {
    'content-type': contentTypes[format],
    'user-agent': 'Paylink-Postback/1',
    // Postbacks of one bill may arrive in any order; a receiver can sort by this header.
    'paylink-sequence': event.createdAt.getTime().toString(),
    ...webhookHeaders({ id: event.id, timestamp: now, body, secrets: webhookSecrets }),
  };
  return { headers, body, signature, redactions: redactionsOf(event, headers['webhook-signature'] ?? '') };
}

/** Each signature separately: a receiver may echo only the one that it verified. */
const redactionsOf = ({ fields, payer = {} }: Sent, webhookSignatures: string): readonly string[] => [
  ...webhookSignatures.split(' '),
  fields['AccountNumber'] ?? '',
  ...Object.values(payer),
];

const signedFields = {
  payment: ['OutSum', 'InvId'],
  payout: ['Amount', 'TrsId'],
  refund: ['Amount', 'Currency', 'BillId', 'PaymentId', 'Id'],
  chargeback: ['BillId', 'PaymentId', 'Id'],
} as const;

const signedParts = ({ id, kind, fields }: PostbackEvent): readonly string[] =>
  signedFields[kind].map((name) => {
    const text = fields[name];
    if (text === undefined)
      throw new Defect('SIGNED_FIELD_MISSING', `Postback ${id} has no ${name} to sign.`);
    return text;
  });

const encode = (fields: Readonly<Record<string, string>>, format: PostbackFormat): string =>
  format === 'json' ? JSON.stringify(fields) : new URLSearchParams(fields).toString();
