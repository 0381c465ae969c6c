import type { FastifyInstance } from 'fastify';
import { HearsayError } from '../../errors.ts';
import { route } from '../../http/route.ts';
import type { HearContext } from '../context.ts';
import { modelChoice, type Presets } from './model-presets.ts';
import { presetList } from './schemas.ts';

export interface ModelCancelOptions extends Pick<HearContext, 'models'> {
  presets: Presets;
}

/** POST /api/model/cancel. */
export function modelCancelRoute(app: FastifyInstance, { models, presets }: ModelCancelOptions): void {
  route(app, {
    method: 'POST',
    url: '/api/model/cancel',
    operationId: 'cancelActivation',
    tag: 'models',
    summary: 'Cancel an activation',
    description:
      'Ends the download or the load of a model that is being activated, for all clients that wait for it: their requests get 409 `activation_cancelled`. Answers when the activation has stopped. Downloaded files are kept, and the next activation resumes the download. The selected model cannot be cancelled while it loads: activate another one instead.',
    body: modelChoice,
    response: { 200: presetList },
    handler: async (request, reply) => {
      const { size } = request.body;
      presets.assertSelectable(size);
      if (!(await models.cancel(size))) throw nothingToCancel(size, models);
      return reply.send(await presets.list());
    },
  });
}

function nothingToCancel(size: string, { active, loaded }: Pick<HearContext['models'], 'active' | 'loaded'>) {
  const isStarting = size === active && size !== loaded;
  const advice = isStarting ? ' It is the selected model: activate another one in its place.' : '';
  return new HearsayError('not_found', `No activation of ${size} is running.${advice}`, { param: 'size' });
}
