/** Why something failed. Renders nothing without a text. */
export const ErrorMessage = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="error" role="alert">
      {text}
    </p>
  )
