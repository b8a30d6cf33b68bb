/** The role of a person at the local service. `operator` and `approver` have IAM policies; an `administrator` is unrestricted. */
export type LocalRole = 'operator' | 'approver' | 'administrator';

/** A person who calls the local AWS services, as encoded in the access key of the signature. Functions sign with their own names. */
export type LocalCaller = { readonly role: LocalRole; readonly by: string };

/** Returns the access key for a caller. The name is base64url, because an access key allows few characters. */
export const accessKeyOf = ({ role, by }: LocalCaller): string =>
  `${role}.${Buffer.from(by).toString('base64url')}`;

/** Returns the caller in an access key; undefined for a function's access key and any other text. */
export function callerIn(accessKey: string): LocalCaller | undefined {
  const [, role, by = ''] = /^(operator|approver|administrator)\.([\w-]*)$/.exec(accessKey) ?? [];
  return role === 'operator' || role === 'approver' || role === 'administrator'
    ? { role, by: Buffer.from(by, 'base64url').toString() }
    : undefined;
}
