import { plain } from '../../infra/local/rights/policy.ts';
import type { Template } from '../../infra/local/template/template.ts';
import { at, ofType } from './template.ts';

/** A method of the API. */
export type Method = {
  readonly path: string;
  readonly method: string;
  readonly authorization: string;
  readonly authorizer: string | undefined;
  /** The logical id of the function behind it; undefined for a MOCK. */
  readonly target: string | undefined;
  readonly integration: unknown;
};

/** Every method of the template's API. */
export function methodsOf(template: Template): readonly Method[] {
  const paths = pathsOf(template);
  return ofType(template, 'AWS::ApiGateway::Method').map((resource) => ({
    path: paths.get(plain(at(resource, 'ResourceId'))) ?? '?',
    method: plain(at(resource, 'HttpMethod')),
    authorization: plain(at(resource, 'AuthorizationType')),
    authorizer: at(resource, 'AuthorizerId') ? plain(at(resource, 'AuthorizerId')) : undefined,
    target: /functions\/(\w+)\.Arn\/invocations/.exec(plain(at(resource, 'Integration', 'Uri')))?.[1],
    integration: at(resource, 'Integration'),
  }));
}

/** The path of each API resource by its logical id. */
export function pathsOf(template: Template): ReadonlyMap<string, string> {
  const resources = new Map(ofType(template, 'AWS::ApiGateway::Resource').map((one) => [one.id, one]));
  const pathOf = (id: string): string => {
    const resource = resources.get(id);
    return resource ? `${pathOf(plain(at(resource, 'ParentId')))}/${plain(at(resource, 'PathPart'))}` : '';
  };
  const [api] = ofType(template, 'AWS::ApiGateway::RestApi');
  const below = [...resources.keys()].map((id) => [id, pathOf(id)] as const);
  return new Map([[`${api?.id}.RootResourceId`, '/'], ...below]);
}

/** The name of the function with this logical id. */
export function functionNameOf(template: Template, id: string | undefined): string | undefined {
  const resource = template.Resources[id ?? ''];
  return resource && plain(resource.Properties?.['FunctionName']).replace(/^paylink-[a-z]+-fn-/, '');
}
