import type { EnvironmentName } from './environments.ts';

/**
 * Returns the physical names of an environment's resources. They follow from its name alone, so that the operator's
 * command line finds everything without looking it up.
 */
export function namesOf(environment: EnvironmentName) {
  const prefix = `paylink-${environment}`;
  return {
    stack: `Paylink-${environment}`,
    api: prefix,
    table: prefix,
    sandboxTable: `${prefix}-sandbox`,
    queue: (name: string) => `${prefix}-${name}`,
    deadLetterQueue: (name: string) => `${prefix}-${name}-dead`,
    alias: (name: string) => `alias/${prefix}-${name}`,
    secret: (name: string) => `paylink/${environment}/${name}`,
    function: (name: string) => `${prefix}-fn-${name}`,
    /** A function's name before functions moved to nested stacks. The update to nested stacks removes it. */
    formerFunction: (name: string) => `${prefix}-${name}`,
    logs: (name: string) => `/paylink/${environment}/${name}`,
    policy: (role: 'operator' | 'approver') => `${prefix}-${role}`,
    alarms: `${prefix}-alarms`,
    metrics: `Paylink/${environment}`,
  } as const;
}

export type Names = ReturnType<typeof namesOf>;
