import { SubmitButton } from '../ui/form/FormEnd.tsx';

export function SignEnd({ refusal, isBusy, action }: { refusal: string; isBusy: boolean; action: string }) {
  return (
    <>
      <div role="alert">
        {refusal !== '' && (
          <p className="mb-3 py-2 px-3.5 border-0 border-l-2 border-solid border-vermilion bg-sunk text-sm">
            {refusal}
          </p>
        )}
      </div>
      <SubmitButton {...{ action, isBusy }} busy={`正在${action}…`} className="button w-full text-base" />
    </>
  );
}
