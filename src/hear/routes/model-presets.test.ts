import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { transcriptionApp } from '../../../test/fixtures/transcription-app.ts';
import { presets } from '../presets.ts';

const start = perTest(transcriptionApp);

/** The presets of the API's contract; others follow. */
const contractPresets = [
  { size: 'tiny', label: 'Tiny', params: '39M' },
  { size: 'base', label: 'Base', params: '74M' },
  { size: 'small', label: 'Small', params: '244M' },
  { size: 'medium', label: 'Medium', params: '769M' },
  { size: 'large-v3', label: 'Large v3', params: '1550M' },
  { size: 'large-v3-turbo', label: 'Large v3 Turbo', params: '809M' },
  { size: 'distil-large-v3', label: 'Distil Large v3', params: '756M' },
];
const rows = [
  ...contractPresets,
  ...presets.slice(contractPresets.length).map(({ size, label, params }) => ({ size, label, params })),
];
const builtInPresets = rows.map((row) => {
  const { download } = presets.find(({ size }) => size === row.size)!;
  return { ...row, ...(download && { download }), on_disk: false, downloaded_bytes: 0 };
});

describe('GET /api/model/presets', () => {
  it('lists the presets, after a configured size that is not one of them', async () => {
    const { app, models } = await start();
    models.active = 'base';
    models.loaded = '';
    expect((await app.inject('/api/model/presets')).json()).toEqual({
      active: 'base',
      loaded: '',
      presets: builtInPresets,
    });
    const own = await start({ modelSize: 'org/own' });
    const listed = (await own.app.inject('/api/model/presets')).json().presets;
    expect(listed[0]).toMatchObject({ size: 'org/own', label: 'org/own' });
    expect(listed.slice(1)).toEqual(builtInPresets);
    const known = await start({ modelSize: 'medium' });
    expect((await known.app.inject('/api/model/presets')).json().presets).toEqual(builtInPresets);
  });

  it('reports the sizes of downloads and of files on disk', async () => {
    const { app, models } = await start();
    models.stored = {
      tiny: { isOnDisk: true, downloadedBytes: 153_000_000 },
      base: { isOnDisk: false, downloadedBytes: 1000 },
      'moonshine-tiny': { isOnDisk: true, downloadedBytes: 0 },
    };
    const listed: { size: string }[] = (await app.inject('/api/model/presets')).json().presets;
    const row = (size: string) => listed.find((each) => each.size === size);
    expect(row('tiny')).toMatchObject({ download: '0.15 GB', on_disk: true, downloaded_bytes: 153_000_000 });
    expect(row('base')).toMatchObject({ download: '0.3 GB', on_disk: false, downloaded_bytes: 1000 });
    expect(row('small')).toMatchObject({ download: '1 GB', on_disk: false, downloaded_bytes: 0 });
    expect(row('moonshine-tiny')).toMatchObject({ on_disk: true, downloaded_bytes: 0 });
    expect(row('moonshine-tiny')).not.toHaveProperty('download');
  });

  it('shows the model being downloaded or loaded', async () => {
    const { app, models } = await start();
    models.loading = { size: 'tiny', received_bytes: 10, total_bytes: 40 };
    expect((await app.inject('/api/model/presets')).json().loading).toEqual(models.loading);
    models.loading = undefined;
    expect((await app.inject('/api/model/presets')).json()).not.toHaveProperty('loading');
  });
});
