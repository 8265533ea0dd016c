import type { Locator } from '@playwright/test';
import sharp from 'sharp';

/** A PNG file of 800 × 600 pixels. */
export const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#246' } })
  .png()
  .toBuffer();

/** Pastes or drops files like a user. */
export async function give(target: Locator, type: 'paste' | 'drop', names: string[]): Promise<void> {
  const bytes = [...picture];
  await target.evaluate(
    (element, { type, names, bytes }) => {
      const data = new DataTransfer();
      for (const name of names)
        data.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }));
      const { left, top } = element.getBoundingClientRect();
      const event =
        type === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent('drop', {
              dataTransfer: data,
              bubbles: true,
              cancelable: true,
              clientX: left + 5,
              clientY: top + 25,
            });
      element.dispatchEvent(event);
    },
    { type, names, bytes },
  );
}
