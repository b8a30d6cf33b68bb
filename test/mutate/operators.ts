import type { Visitor } from 'rolldown/utils';

type Handlers = ConstructorParameters<typeof Visitor>[0];
type Spread = readonly { readonly start: number; readonly end: number }[];
type Place = { readonly start: number; readonly end: number };

/** One change of a source: the text from `start` to `end` is replaced. */
export type Change = Place & { readonly operator: string; readonly replacement: string };

const swapped: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
  '&&': '||',
  '||': '&&',
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};
const dropped = new Set(['filter', 'toSorted', 'trim', 'toLowerCase', 'slice', 'flat']);

/** The range that removes one element of a list together with a comma. */
const without = (text: string, list: Spread, at: number): Place => {
  const [one, next, before] = [list[at], list[at + 1], list[at - 1]];
  if (!one) throw new Error('The list has no such element');
  if (next) return { start: one.start, end: next.start };
  const comma = /^\s*,/.exec(text.slice(one.end))?.[0].length ?? 0;
  return { start: before?.end ?? one.start, end: before ? one.end : one.end + comma };
};

/** The mutation operators: each handler adds the changes of one kind of node. */
export function handlersFor(
  text: string,
  add: (change: Change) => void,
  skip: (place: Place) => void,
): Handlers {
  const change = (operator: string, { start, end }: Place, replacement: string) =>
    add({ operator, start, end, replacement });
  const condition = (test: Place | null) => {
    if (!test) return;
    change('condition always true', test, 'true');
    change('condition always false', test, 'false');
  };
  const between = (operator: string, left: Place, right: Place) => {
    const other = swapped[operator];
    if (other === undefined) return;
    const start = left.end + text.slice(left.end, right.start).indexOf(operator);
    change(`${operator} for ${other}`, { start, end: start + operator.length }, other);
  };
  const each = (operator: string, list: Spread) => {
    for (const at of list.keys()) change(operator, without(text, list, at), '');
  };

  return {
    IfStatement: ({ test }) => condition(test),
    WhileStatement: ({ test }) => change('condition always false', test, 'false'),
    ConditionalExpression: ({ test }) => condition(test),
    BinaryExpression: ({ operator, left, right }) => {
      const joinsTexts = operator === '+' && [left, right].some(isText);
      if (!joinsTexts) between(operator, left, right);
    },
    LogicalExpression: (node) => {
      if (node.operator === '??')
        change('?? without its default', node, text.slice(node.left.start, node.left.end));
      else between(node.operator, node.left, node.right);
    },
    AssignmentExpression: ({ operator, left, right }) => between(operator, left, right),
    UnaryExpression: (node) => {
      if (node.operator === '!' || node.operator === '-')
        change(`${node.operator} dropped`, { start: node.start, end: node.argument.start }, '');
    },
    Literal: (node) => {
      if (typeof node.value === 'boolean') change('flag turned', node, String(!node.value));
      if (typeof node.value === 'string') change('text emptied', node, node.value === '' ? "'mutant'" : "''");
      if (typeof node.value === 'number') change('number changed', node, String(node.value + 1));
      if (typeof node.value === 'bigint') change('number changed', node, `${node.value + 1n}n`);
    },
    TemplateLiteral: (node) => change('text emptied', node, '``'),
    TaggedTemplateExpression: ({ quasi }) => skip(quasi),
    ArrayExpression: (node) => {
      const elements = node.elements.filter((element) => element !== null);
      if (elements.length > 1) change('list emptied', node, '[]');
      each('element dropped', elements);
    },
    ObjectExpression: ({ properties }) => each('property dropped', properties),
    ExpressionStatement: (node) => change('statement dropped', node, ''),
    ThrowStatement: (node) => change('statement dropped', node, ''),
    ReturnStatement: ({ argument }) => {
      if (argument) change('undefined returned', argument, 'undefined');
    },
    ArrowFunctionExpression: ({ expression, body }) => {
      if (expression) change('undefined returned', body, 'undefined');
    },
    MemberExpression: (node) => {
      if (node.optional)
        change('?. without its question', { start: node.object.end, end: node.property.start }, '.');
    },
    CallExpression: (node) => {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { name } = callee.property;
      if (Object.hasOwn(swapped, name))
        change(`${name} for ${swapped[name]}`, callee.property, swapped[name] ?? '');
      if (dropped.has(name)) change(`${name} dropped`, { start: callee.object.end, end: node.end }, '');
    },

    // Not behaviour: types, names of modules and fields, and the messages of errors that only a developer reads.
    TSTypeAnnotation: skip,
    TSTypeAliasDeclaration: skip,
    TSInterfaceDeclaration: skip,
    TSTypeParameterInstantiation: skip,
    TSTypeParameterDeclaration: skip,
    TSAsExpression: ({ typeAnnotation }) => skip(typeAnnotation),
    TSSatisfiesExpression: ({ typeAnnotation }) => skip(typeAnnotation),
    ImportDeclaration: skip,
    ImportExpression: ({ source }) => skip(source),
    ExportAllDeclaration: skip,
    ExportNamedDeclaration: ({ source }) => {
      if (source) skip(source);
    },
    Property: ({ key, computed }) => {
      if (!computed) skip(key);
    },
    NewExpression: ({ callee, arguments: given }) => {
      if (callee.type === 'Identifier' && callee.name === 'Error' && given[0]) skip(given[0]);
    },
  };
}

const isText = (node: { readonly type: string; readonly value?: unknown }): boolean =>
  node.type === 'TemplateLiteral' || typeof node.value === 'string';
