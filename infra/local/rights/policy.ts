import { isRecord } from '../template/is-record.ts';
import type { Template } from '../template/template.ts';

/** A call of an AWS API as IAM sees it: action, resource and condition context. */
export type Call = {
  readonly action: string;
  /** An ARN in the form of `plain`. */
  readonly resource: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
  /** The caller's `aws:userid`, for policies with this variable. */
  readonly userid?: string;
};

export type Statement = {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource?: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
};

/** Whether a statement allows the call and none denies it, which is IAM's rule. */
export function allows(statements: readonly Statement[], call: Call): boolean {
  const matching = statements.filter((statement) => applies(statement, call));
  return (
    matching.some(({ Effect }) => Effect === 'Allow') && !matching.some(({ Effect }) => Effect === 'Deny')
  );
}

/** Returns the policy statements of a function's role. Throws if the template has no such function. */
export function statementsOf(template: Template, functionName: string): readonly Statement[] {
  const resources = Object.values(template.Resources);
  const found = resources.find(
    ({ Type, Properties }) =>
      Type === 'AWS::Lambda::Function' && Properties?.['FunctionName'] === functionName,
  );
  if (!found) throw new Error(`The template has no function ${functionName}.`);
  const [roleId] = plain(found.Properties?.['Role']).split('.');
  return resources
    .filter(({ Type, Properties }) => Type === 'AWS::IAM::Policy' && namesRole(Properties?.['Roles'], roleId))
    .flatMap(({ Properties }) => documentStatements(Properties?.['PolicyDocument']));
}

/**
 * Returns the statements for people with this managed policy: its own, and the Deny statements of the tables' resource
 * policies. Throws if the template has no such policy.
 */
export function peopleStatements(template: Template, policyName: string): readonly Statement[] {
  const resources = Object.values(template.Resources);
  const found = resources.find(
    ({ Type, Properties }) =>
      Type === 'AWS::IAM::ManagedPolicy' && Properties?.['ManagedPolicyName'] === policyName,
  );
  if (!found) throw new Error(`The template has no managed policy ${policyName}.`);
  const ofTables = resources
    .map(({ Properties }) => Properties?.['ResourcePolicy'])
    .flatMap((policy) => (isRecord(policy) ? documentStatements(policy['PolicyDocument']) : []));
  return [
    ...documentStatements(found.Properties?.['PolicyDocument']),
    ...ofTables.filter(({ Effect }) => Effect === 'Deny'),
  ];
}

/** Returns an ARN or name of the template as text, such as `Table.Arn/index/WORK` for a join of an attribute and a text. */
export function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isRecord(value)) return String(value);
  const { Ref: ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value;
  if (typeof ref === 'string') return ref;
  if (Array.isArray(attribute)) return attribute.join('.');
  if (Array.isArray(join)) return join[1].map(plain).join(join[0]);
  return JSON.stringify(value);
}

function applies(statement: Statement, { action, resource, context = {}, userid }: Call): boolean {
  const conditions = Object.entries(statement.Condition ?? {});
  return (
    [statement.Action].flat().some((pattern) => matches(action, pattern)) &&
    [statement.Resource].flat().some((pattern) => matches(resource, plain(pattern))) &&
    conditions.every(([operator, wanted]) =>
      Object.entries(wanted).every(([key, patterns]) =>
        holds(operator, context[key] ?? [], [patterns].flat(), userid),
      ),
    )
  );
}

/** Whether a condition is true. Throws for an operator that is not implemented, because a guess could allow what AWS denies. */
function holds(
  operator: string,
  given: readonly string[],
  patterns: readonly string[],
  userid: string | undefined,
): boolean {
  const fits = (value: string): boolean => patterns.some((pattern) => matches(value, pattern, userid));
  if (operator === 'Null') return patterns.includes(String(given.length === 0));
  if (operator === 'ForAllValues:StringLike') return given.every(fits);
  if (operator === 'ForAllValues:StringNotEquals') return given.every((value) => !patterns.includes(value));
  if (operator === 'ForAllValues:StringEquals') return given.every((value) => patterns.includes(value));
  if (operator === 'ForAnyValue:StringLike') return given.some(fits);
  if (operator === 'StringEquals')
    return given.length > 0 && given.every((value) => patterns.includes(value));
  throw new Error(`The local runner does not support the condition operator ${operator}.`);
}

/** Matches IAM wildcards. `aws:userid` is inserted as literal text: a `*` in it is no wildcard. */
function matches(value: string, pattern: string, userid?: string): boolean {
  const parts = userid === undefined ? [pattern] : pattern.split('${aws:userid}');
  const expression = parts
    .map((part) => escaped(part).replaceAll(String.raw`\*`, '.*'))
    .join(escaped(userid ?? ''));
  return new RegExp(`^${expression}$`, 's').test(value);
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`);

/** Returns the statements of a policy document. */
export const documentStatements = (document: unknown): readonly Statement[] =>
  isRecord(document) && Array.isArray(document['Statement']) ? document['Statement'] : [];

const namesRole = (roles: unknown, roleId: string | undefined): boolean =>
  Array.isArray(roles) && roles.some((role) => plain(role) === roleId);
