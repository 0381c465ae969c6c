import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { contentSecurityPolicy } from './console.ts';

export interface ApiDescription {
  title: string;
  description: string;
  version: string;
}

/** The part of Swagger UI that its plugins see. */
interface SwaggerUiSystem {
  React: { createElement(type: string, props: object, ...children: unknown[]): unknown };
}

/**
 * A plugin of Swagger UI that shows descriptions as text with code spans, never as markup. It runs in the browser, from its
 * source: it may use nothing from outside.
 */
const plainDescriptions = ({ React }: SwaggerUiSystem) => ({
  wrapComponents: {
    Markdown: () => (props: { source?: string }) => {
      const parts = String(props.source ?? '').split('`');
      const children = parts.map((part, index) =>
        index % 2 === 1 ? React.createElement('code', { key: index }, part) : part,
      );
      return React.createElement('div', { className: 'markdown' }, React.createElement('p', {}, children));
    },
  },
});

/** Suffix of the input variant that zod adds for each schema with an id; no route uses one. */
const UNUSED_SCHEMA = /Input$/;

/**
 * Serves the OpenAPI document of the routes registered after it at /openapi.json and /docs/json, and its page at /docs,
 * under the content security policy of /web.
 *
 * @param hasKey whether keyed routes require one; otherwise the document states no security
 */
export async function describeApi(app: FastifyInstance, info: ApiDescription, hasKey: boolean): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info,
      components: hasKey ? { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } } : {},
    },
    transform: (document) => {
      const { schema, url } = jsonSchemaTransform(document);
      const { security, ...open } = schema ?? {};
      return { schema: hasKey && security ? { ...open, security } : open, url };
    },
    transformObject: (document) => {
      const api = jsonSchemaTransformObject(document);
      const { schemas = {} } = (api as { components?: { schemas?: Record<string, unknown> } }).components ?? {};
      for (const name of Object.keys(schemas)) if (UNUSED_SCHEMA.test(name)) delete schemas[name];
      return api;
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => reply.send(app.swagger()));
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentSecurityPolicy('dompurify'),
    theme: { title: info.title },
    uiConfig: {
      // The top bar of the standard layout has an inline style sheet, which the policy forbids.
      layout: 'BaseLayout',
      plugins: [plainDescriptions],
    } as object,
  });
}
