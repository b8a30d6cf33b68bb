import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Assembly } from '../template/assembly.ts';
import { ofType, type Resource } from '../template/resources.ts';
import { CommandError } from '../../../lib/installation/command-error.ts';
import type { LeadsBack } from './worker-messages.ts';

/** A Lambda function as the template describes it. */
export type FunctionDefinition = {
  readonly name: string;
  readonly arn: string;
  /** The file of the module with the handler. */
  readonly file: string;
  /** The export's name of the handler. */
  readonly exportName: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly reservedConcurrency: number | undefined;
  readonly leadsBack: LeadsBack | undefined;
  /** The folder of compiled code that all threads share. */
  readonly compiled: string;
};

const schema = z.object({
  Code: z.object({ S3Key: z.string() }),
  Handler: z.string(),
  Timeout: z._default(z.number(), 3),
  MemorySize: z._default(z.number(), 128),
  Environment: z.optional(z.object({ Variables: z.record(z.string(), z.string()) })),
  ReservedConcurrentExecutions: z.optional(z.number()),
});

/** Returns the template's Lambda functions. */
export const functionsOf = (
  resources: readonly Resource[],
  assembly: Assembly,
): readonly FunctionDefinition[] =>
  ofType(resources, 'AWS::Lambda::Function').map((resource) => definitionOf(resource, assembly));

/** Returns the function's name in an ARN, without its version or alias. */
export const functionNameIn = (text: string): string | undefined =>
  /:lambda:[^:]*:[^:]*:function:([A-Za-z0-9_-]+)/.exec(text)?.[1];

function definitionOf({ id, identity, properties }: Resource, assembly: Assembly): FunctionDefinition {
  const parsed = schema.safeParse(properties);
  if (!parsed.success)
    throw new CommandError(`The local runner cannot read the function ${id} of the template.`);
  const { Code, Handler, Timeout, MemorySize, Environment, ReservedConcurrentExecutions } = parsed.data;
  const at = Handler.lastIndexOf('.');
  return {
    name: identity.ref,
    arn: identity.attributes['Arn'] ?? identity.ref,
    file: moduleFile(assembly.bundleOf(Code.S3Key), Handler.slice(0, at)),
    exportName: Handler.slice(at + 1),
    timeoutMs: Timeout * 1000,
    memoryMb: MemorySize,
    environment: Environment?.Variables ?? {},
    reservedConcurrency: ReservedConcurrentExecutions,
    leadsBack: undefined,
    compiled: assembly.compiled,
  };
}

/** Finds the module's file, with the endings in the order of Lambda's runtime. */
function moduleFile(folder: string, module: string): string {
  const candidates = ['.js', '.mjs', '.cjs'].map((ending) => join(folder, module + ending));
  const found = candidates.find((file) => existsSync(file));
  if (!found)
    throw new CommandError(`There is no ${module}.js in ${folder}: run npm run build, then start again.`);
  return found;
}
