import { loadCompiled } from '../../../ort/compiled-models.ts';
import { type CompiledKokoro, compileGraphs, type KokoroSource } from '../graph/compile.ts';
import { measureRanges } from './calibration.ts';
import { KokoroModel } from './model.ts';

/**
 * Compiles a checkpoint, or finds it compiled; for `int8` it speaks a few sentences in between.
 * @throws HearsayError `model_load_failed` naming the file or the tensor that is wrong
 */
export function compileKokoro(source: KokoroSource): Promise<CompiledKokoro> {
  return compileGraphs(source, measureRanges);
}

/**
 * Loads a compiled model; one with damaged files is compiled again.
 * @throws HearsayError `model_load_failed`
 */
export function loadCompiledKokoro(compiled: CompiledKokoro): Promise<KokoroModel> {
  return loadCompiled(
    'Kokoro',
    compiled,
    (model) => KokoroModel.load(model),
    () => compileKokoro(compiled),
  );
}
