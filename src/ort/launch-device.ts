import type { DeviceSettings } from './device.ts';
import { findGpu } from './gpu.ts';

/** Where engines load their models: after a death on the way, a GPU's driver is suspected, and `auto` is the CPU. */
export class LaunchDevice {
  #avoidsGpu = false;

  /** The setting for an engine. */
  of(setting: DeviceSettings['device']): DeviceSettings['device'] {
    return setting === 'auto' && this.#avoidsGpu ? 'cpu' : setting;
  }

  /**
   * Notes that an engine has died while it loaded a model.
   * @param warn receives a line if that changes the device
   */
  async noteDeath(setting: DeviceSettings['device'], warn: (message: string) => void, find = findGpu): Promise<void> {
    if (this.of(setting) !== 'auto' || !('drivers' in (await find()))) return;
    this.#avoidsGpu = true;
    warn("The engine died while it loaded a model, maybe by the GPU's driver: until a restart models run on the CPU.");
  }
}
