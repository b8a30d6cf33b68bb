import { holdsCardNumber } from '../card-number.ts';
import { fail, ok, type Result } from '../result.ts';

const longestReason = 500;
const longestName = 100;
/** No control or format characters and no line breaks: a terminal shows the text on one line. */
const printable = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;

export type ReasonRefusal = 'reason_invalid' | 'reason_holds_card_number';
export type SignedReasonRefusal = ReasonRefusal | 'person_invalid';

/** Validates a reason. It is stored permanently and shown widely, so it must not contain a card number. */
export function readReason(text: string): Result<string, ReasonRefusal> {
  const reason = text.trim();
  if (reason.length > longestReason || !printable.test(reason)) return fail('reason_invalid');
  return holdsCardNumber(reason) ? fail('reason_holds_card_number') : ok(reason);
}

/** Validates the name of a person who proposes or decides; undefined when it is not a valid name. */
export function readPersonName(text: string): string | undefined {
  const name = text.trim();
  return name.length <= longestName && printable.test(name) && !holdsCardNumber(name) ? name : undefined;
}

type SignedReason<R> = { readonly by: string; readonly reason: R };

/** Validates who decides, and why or on what evidence, as stored with the decision. */
export function readSignedReason(
  given: SignedReason<string>,
): Result<SignedReason<string>, SignedReasonRefusal>;
export function readSignedReason(
  given: SignedReason<string | undefined>,
): Result<SignedReason<string | undefined>, SignedReasonRefusal>;
export function readSignedReason(
  given: SignedReason<string | undefined>,
): Result<SignedReason<string | undefined>, SignedReasonRefusal> {
  const by = readPersonName(given.by);
  if (by === undefined) return fail('person_invalid');
  if (given.reason === undefined) return ok({ by, reason: undefined });
  const reason = readReason(given.reason);
  return reason.ok ? ok({ by, reason: reason.value }) : reason;
}

/** Who makes a decision. `id` recognises one that is carried out twice; `approvedBy` is the second person. */
export type Signature = {
  readonly by: string;
  readonly id?: string;
  readonly approvedBy?: string;
};

/** A provider's answer that contradicts a person's decision. */
export type Contradiction = { readonly contradictedBy: 'acquirer' | 'rail'; readonly says: string };
