import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
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

/**
 * Serves the OpenAPI document of the routes registered after it at /docs/json, and its page at /docs, under the content
 * security policy of /web.
 */
export async function describeApi(app: FastifyInstance, info: ApiDescription): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info,
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentSecurityPolicy('dompurify'),
    theme: { title: info.title },
    uiConfig: {
      // The bar of the standard layout brings a style sheet in the page.
      layout: 'BaseLayout',
      plugins: [plainDescriptions],
    } as object,
  });
}
