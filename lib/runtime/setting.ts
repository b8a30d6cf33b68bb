/** A setting of this function's environment, or one sentence that names what is missing. */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`The environment variable ${name} is missing: the template sets it for this function.`);
  return value;
}

export const optionalSetting = (name: string): string | undefined => process.env[name] || undefined;
