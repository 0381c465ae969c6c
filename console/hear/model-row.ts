import type { ModelLoading, Preset } from '../../src/hear/routes/schemas.ts';
import { button, element } from '../shared/dom.ts';
import { byteSize } from '../shared/format.ts';
import { factsOf, type PresetFacts } from './preset-facts.ts';

/** What a row shows besides the facts of its model. */
export interface RowState {
  isActive: boolean;
  isLoaded: boolean;
  /** Whether it is downloaded or loaded, or waits for that. */
  isPending: boolean;
  /** Whether an activation can be begun. */
  isFree: boolean;
  failure: string | undefined;
}

export interface RowActions {
  activate(): void;
  /** Absent if it cannot be cancelled. */
  cancel?: () => void;
  /** Absent if it cannot be removed. */
  remove?: () => void;
}

/** A row of the list of models. Its buttons have the size in `data-size`, and what they do in `data-action`. */
export function modelRow(model: Preset, state: RowState, { activate, cancel, remove }: RowActions): HTMLElement {
  const { size, label } = model;
  const facts = factsOf(size);
  const badges = [
    ...(state.isActive ? [element('span', { className: 'badge' }, 'active')] : []),
    ...(state.isLoaded && !state.isActive ? [element('span', { className: 'badge' }, 'loaded')] : []),
    ...(model.on_disk
      ? [element('span', { className: 'badge on-disk' }, facts?.isBuiltIn ? 'built in' : 'on disk')]
      : []),
  ];
  const title = element('div', { className: 'name' }, element('b', {}, label), ...badges);
  const sizes = element('small', { id: `model-${size}` }, ...sizesOf(model, facts));
  const row = element('li', {}, element('div', {}, title, element('small', {}, capabilitiesOf(facts)), sizes));
  const control = (text: string, name: string, onClick: () => void, className = '') => {
    const made = button(text, className, onClick);
    made.dataset.size = size;
    made.dataset.action = text;
    made.setAttribute('aria-label', name);
    return made;
  };
  if (state.isPending) {
    const bar = element('progress', { max: 1 });
    bar.setAttribute('aria-label', `Activation of ${label}`);
    row.append(
      element('div', { className: 'loading' }, bar, element('small', {}, '')),
      ...(cancel ? [control('Cancel', `Cancel the activation of ${label}`, cancel)] : []),
    );
  } else if (!state.isActive || !state.isLoaded) {
    const made = control('Activate', `Activate ${label}`, activate);
    made.disabled = !state.isFree;
    made.setAttribute('aria-describedby', sizes.id);
    row.append(made);
    if (remove) title.append(control('Remove', `Remove ${label} from the disk`, remove, 'plain'));
  }
  if (state.failure !== undefined) row.append(element('p', { className: 'failure', dir: 'auto' }, state.failure));
  return row;
}

/**
 * Shows the progress in the row that has a bar.
 * @param progress a text if there are no numbers
 */
export function showProgress(list: HTMLElement, progress: ModelLoading | string): void {
  const bar = list.querySelector('progress');
  const text = bar?.nextElementSibling;
  if (!bar || !text) return;
  if (typeof progress !== 'string' && progress.received_bytes < progress.total_bytes) {
    const { received_bytes: received, total_bytes: total } = progress;
    bar.value = received / total;
    text.textContent = `Downloading: ${byteSize(received)} of ${byteSize(total)}`;
  } else {
    bar.removeAttribute('value');
    text.textContent = typeof progress === 'string' ? progress : 'Loading…';
  }
}

function capabilitiesOf(facts: PresetFacts | undefined): string {
  if (!facts) return 'Your own checkpoint';
  return [facts.languages, facts.translation].filter((text) => text !== '').join(', ');
}

/** The size of a model, and what of it is to be downloaded. */
function sizesOf(model: Preset, facts: PresetFacts | undefined): (Node | string)[] {
  const { params, download, on_disk, downloaded_bytes: bytes } = model;
  const parameters = params === 'unknown' ? '' : `${params} parameters`;
  const separator = parameters === '' ? '' : ' · ';
  if (on_disk) return [parameters, ...(bytes > 0 ? [separator, byteSize(bytes)] : [])];
  if (bytes > 0) return [parameters, separator, `${byteSize(bytes)} of ${download ?? 'the download'} on disk`];
  if (download === undefined) return [parameters, ...(facts ? [] : [separator, 'to be downloaded'])];
  // The badges of the others say it to those who see them.
  return [parameters, separator, download, element('span', { className: 'away' }, ' to download')];
}
