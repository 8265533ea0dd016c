export function FormEnd({ refusal, isBusy, action }: { refusal: string; isBusy: boolean; action: string }) {
  return (
    <>
      <div role="alert">
        {refusal !== '' && (
          <p className="mb-3 py-2 px-3.5 border-0 border-l-2 border-solid border-vermilion bg-sunk text-sm">
            {refusal}
          </p>
        )}
      </div>
      <button
        type="submit"
        className="button w-full border-0 text-base cursor-pointer aria-disabled:(opacity-70 cursor-progress)"
        aria-disabled={isBusy}
      >
        {isBusy ? `正在${action}…` : action}
      </button>
    </>
  );
}
