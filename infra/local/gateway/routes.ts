import * as z from 'zod/mini';
import { rootOf } from '../template/identity.ts';
import { ofType, type Resource } from '../template/resources.ts';
import { CommandError } from '../../../lib/installation/command-error.ts';

/** A resource of the REST API: one part of a path, and the resources below it. */
export type RouteNode = {
  readonly id: string;
  /** `orders`, `{order}` or `{proxy+}`; empty for the root. */
  readonly part: string;
  /** The pattern from the root, such as `/orders/{order}`. */
  readonly pattern: string;
  readonly children: RouteNode[];
};

/** The resource that a path matches, with its path parameters. */
export type Match = { readonly node: RouteNode; readonly parameters: Readonly<Record<string, string>> };

const resourceSchema = z.object({ ParentId: z.string(), PathPart: z.string() });

/** Returns the resource tree of the template's REST API. Throws unless there is exactly one API. */
export function routeTreeOf(resources: readonly Resource[]): RouteNode {
  const [api, ...others] = ofType(resources, 'AWS::ApiGateway::RestApi');
  if (!api || others.length > 0)
    throw new CommandError('The local runner runs a template with exactly one REST API.');
  const root: RouteNode = { id: rootOf(api.id), part: '', pattern: '/', children: [] };
  const parts = ofType(resources, 'AWS::ApiGateway::Resource').map(({ identity, properties }) => ({
    id: identity.ref,
    ...resourceSchema.parse(properties),
  }));
  grow(root, parts);
  return root;
}

type Part = { readonly id: string; readonly ParentId: string; readonly PathPart: string };

function grow(node: RouteNode, parts: readonly Part[]): void {
  for (const { id, PathPart } of parts.filter(({ ParentId }) => ParentId === node.id)) {
    const pattern = `${node.pattern === '/' ? '' : node.pattern}/${PathPart}`;
    const child: RouteNode = { id, part: PathPart, pattern, children: [] };
    node.children.push(child);
    grow(child, parts);
  }
}

/**
 * Finds the resource for a path. A fixed part has priority over a parameter, a parameter over a greedy one. A trailing slash
 * is ignored, as on REGIONAL endpoints. Throws URIError when the path's encoding is invalid.
 */
export function findRoute(root: RouteNode, path: string): Match | undefined {
  const parts = path.replace(/^\//, '').replace(/\/$/, '').split('/').map(decodeURIComponent);
  return parts.length === 1 && parts[0] === '' ? { node: root, parameters: {} } : walk(root, parts, {});
}

function walk(node: RouteNode, parts: readonly string[], parameters: Match['parameters']): Match | undefined {
  const [part, ...rest] = parts;
  if (part === undefined) return { node, parameters };
  const fixed = node.children.find((child) => child.part === part);
  const byParameter = node.children.find((child) => /^\{[^+]+\}$/.test(child.part));
  const greedy = node.children.find((child) => child.part.endsWith('+}'));
  return (
    (fixed && walk(fixed, rest, parameters)) ??
    (byParameter && part !== ''
      ? walk(byParameter, rest, { ...parameters, [nameIn(byParameter)]: part })
      : undefined) ??
    (greedy && { node: greedy, parameters: { ...parameters, [nameIn(greedy)]: parts.join('/') } })
  );
}

const nameIn = ({ part }: RouteNode): string => part.replace(/^\{|\+?\}$/g, '');
