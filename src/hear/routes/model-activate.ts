import type { FastifyInstance } from 'fastify';
import { route } from '../../http/route.ts';
import type { HearContext } from '../context.ts';
import { modelChoice, type Presets } from './model-presets.ts';
import { presetList } from './schemas.ts';

export interface ModelActivateOptions extends Pick<HearContext, 'models' | 'drain'> {
  presets: Presets;
  /** Stores the active model across restarts. */
  persistActiveModel: (size: string) => Promise<void>;
}

/** POST /api/model/activate. */
export function modelActivateRoute(app: FastifyInstance, options: ModelActivateOptions): void {
  const { models, drain, presets, persistActiveModel } = options;
  route(app, {
    method: 'POST',
    url: '/api/model/activate',
    operationId: 'activateModel',
    tag: 'models',
    summary: 'Switch the model',
    description:
      'Downloads the model if needed and loads it while the current one serves. Answers when the new model serves. Continues if the client disconnects. GET /api/model/presets shows the progress. POST /api/model/cancel ends the activation, which then answers 409 `activation_cancelled`.',
    body: modelChoice,
    response: { 200: presetList },
    handler: async (request, reply) => {
      const { size } = request.body;
      presets.assertSelectable(size);
      // Store it before it serves, so that the next start does not forget it.
      await drain.run(() => models.activate(size, () => persistActiveModel(size)));
      return reply.send(await presets.list());
    },
  });
}
