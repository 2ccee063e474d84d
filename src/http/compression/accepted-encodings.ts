/**
 * The encodings that a client takes, in lower case.
 * @param accepted the header `Accept-Encoding`: names, each perhaps with `;q=0` for "not this one"
 */
export const acceptedEncodings = (accepted: string): string[] =>
  accepted
    .toLowerCase()
    .split(",")
    .map((each) => each.split(";").map((part) => part.trim()))
    .filter(([, weight = ""]) => !/^q=0(?:\.0*)?$/.test(weight))
    .map(([name = ""]) => name);
