import type { FastifyInstance } from 'fastify';
import { HearsayError } from '../../errors.ts';
import { route } from '../../http/route.ts';
import type { HearContext } from '../context.ts';
import { modelChoice, type Presets } from './model-presets.ts';
import { presetList } from './schemas.ts';

export interface ModelRemoveOptions extends Pick<HearContext, 'models' | 'drain'> {
  presets: Presets;
  /** Removes a model's files; false if there are none. */
  removeModel: (size: string) => Promise<boolean>;
}

/** POST /api/model/remove. */
export function modelRemoveRoute(app: FastifyInstance, options: ModelRemoveOptions): void {
  const { models, drain, presets, removeModel } = options;
  route(app, {
    method: 'POST',
    url: '/api/model/remove',
    operationId: 'removeModel',
    tag: 'models',
    summary: 'Remove a model from disk',
    description:
      'Removes the downloaded files of a model, also those of a failed or cancelled download, and the graphs compiled from them. The selected model cannot be removed (409 `model_in_use`). Waits for running activations.',
    body: modelChoice,
    response: { 200: presetList },
    handler: async (request, reply) => {
      const { size } = request.body;
      presets.assertSelectable(size);
      const isRemoved = await drain.run(() => models.remove(size, () => removeModel(size)));
      if (!isRemoved) throw new HearsayError('not_found', `Nothing of ${size} was downloaded.`, { param: 'size' });
      return reply.send(await presets.list());
    },
  });
}
