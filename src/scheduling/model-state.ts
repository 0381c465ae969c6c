/** `restarting`: the engine of a loaded model died, and the model is being reloaded; requests wait for it. */
export type ModelState = 'uninitialized' | 'warming' | 'ready' | 'restarting' | 'failed';
