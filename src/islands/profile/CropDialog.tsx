import { useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import cropperStyles from 'react-easy-crop/react-easy-crop.css?url';
import { cutAvatar, type ChosenPicture } from '../../lib/client/avatar-picture.ts';
import { saveAvatar } from '../../lib/stores/account/avatar.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { useSubmit } from '../ui/form/use-submit.ts';
import { MainButton, QuietButton } from '../ui/Button.tsx';

const MAX_ZOOM = 4;

/** Crops a picture to an avatar and saves it. A failed save keeps the crop. */
export default function CropDialog({ picture, onClose }: { picture: ChosenPicture; onClose(): void }) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<{ percent: Area; pixels: Area } | null>(null);
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    if (!area) return;
    await saveAvatar(cutAvatar(picture, area.pixels));
    showNotice('头像已更换');
    onClose();
  }, '没能保存头像，请再试一次');

  return (
    <Dialog title="裁剪头像" isOpen onClose={() => isBusy || onClose()}>
      {/* Loaded by URL: an import would link it from every profile. React waits until it has loaded. */}
      <link rel="stylesheet" href={cropperStyles} precedence="default" />
      <div className="relative h-72 mt-4 rounded overflow-hidden bg-sunk">
        <Cropper
          image={picture.url}
          crop={crop}
          zoom={zoom}
          maxZoom={MAX_ZOOM}
          aspect={1}
          cropShape="round"
          showGrid={false}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropAreaChange={(percent, pixels) => setArea({ percent, pixels })}
          // The automatic styles are inline, which the Content-Security-Policy blocks.
          disableAutomaticStylesInjection
          mediaProps={{ alt: '' }}
          cropperProps={{ role: 'group', 'aria-label': '取景框，用方向键移动图片' }}
        />
      </div>
      <div className="mt-4 flex items-center gap-5">
        <label className="flex-1 flex items-center gap-3 min-h-11 text-sm">
          缩放
          <input
            type="range"
            min={1}
            max={MAX_ZOOM}
            step={0.05}
            value={zoom}
            aria-valuetext={`${Math.round(zoom * 100)}%`}
            className="flex-1 min-w-0 min-h-11"
            onChange={({ target }) => setZoom(Number(target.value))}
          />
        </label>
        <figure className="flex items-center gap-3" aria-label="预览">
          {area && <Preview url={picture.url} area={area.percent} className="w-[72px] h-[72px]" />}
          {area && <Preview url={picture.url} area={area.percent} className="w-[32px] h-[32px]" />}
        </figure>
      </div>
      <p className="field-error min-h-7" role="alert">
        {problem}
      </p>
      <div className="mt-2 flex justify-end gap-3">
        <QuietButton disabled={isBusy} onClick={onClose}>
          取消
        </QuietButton>
        <MainButton
          className="aria-disabled:(opacity-70 cursor-progress)"
          aria-disabled={isBusy}
          onClick={onSubmit}
        >
          {isBusy ? '正在保存…' : '保存头像'}
        </MainButton>
      </div>
    </Dialog>
  );
}

function Preview({ url, area, className }: { url: string; area: Area; className: string }) {
  const share = (part: number, of: number) => `${(part / of) * 100}%`;
  return (
    <span className={`relative flex-none overflow-hidden rounded-full bg-sunk ${className}`}>
      <img
        src={url}
        alt=""
        className="absolute max-w-none"
        style={{
          width: share(100, area.width),
          height: share(100, area.height),
          left: share(-area.x, area.width),
          top: share(-area.y, area.height),
        }}
      />
    </span>
  );
}
