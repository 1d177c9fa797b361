/** Why something did not work; nothing as long as it works. */
export function FailureLine({ text }: { text: string | null }) {
  return (
    text !== null && (
      <p className="problem" role="alert">
        {text}
      </p>
    )
  );
}
