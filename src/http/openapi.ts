import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

export interface ApiDescription {
  title: string;
  description: string;
  version: string;
}

/**
 * The OpenAPI document of the routes registered after it, at /docs/json, and the page that shows it, at /docs. The page
 * loads nothing from elsewhere and its content security policy forbids it to.
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
    // The page sets style attributes as it draws; scripts are files of its own.
    staticCSP:
      "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; frame-ancestors 'self'",
    theme: { title: info.title },
  });
}
