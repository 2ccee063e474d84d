import { Dialog, type DialogProps } from "./dialog.tsx";

/** A modal dialog at the side, over the whole height: settings of what the view shows. */
export const Sheet = (props: Omit<DialogProps, "variant" | "mustBeDismissed">) => <Dialog {...props} variant="sheet" />;
