/** Which policy holds for somebody at the local service; what takes an administrator is under none. */
export type LocalRole = 'operator' | 'approver' | 'administrator';

/** Who calls the local service's AWS, as the access key that signs the call says it: functions sign with their own names. */
export type LocalCaller = { readonly role: LocalRole; readonly by: string };

/** An access key takes few characters, and a name may have any. */
export const accessKeyOf = ({ role, by }: LocalCaller): string =>
  `${role}.${Buffer.from(by).toString('base64url')}`;

/** Undefined for the access key of a function, or any other. */
export function callerIn(accessKey: string): LocalCaller | undefined {
  const [, role, by = ''] = /^(operator|approver|administrator)\.([\w-]*)$/.exec(accessKey) ?? [];
  return role === 'operator' || role === 'approver' || role === 'administrator'
    ? { role, by: Buffer.from(by, 'base64url').toString() }
    : undefined;
}
