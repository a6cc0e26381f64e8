namespace Hookwright.Signature;

/// <summary>Why a delivery was refused. It contains no secret and no expected signature, so it may be logged.</summary>
public sealed class SignatureException : Exception
{
    /// <summary>Never changes, for example <c>signature_mismatch</c>. The readme lists all codes.</summary>
    public string Code { get; }

    /// <summary>The HTTP status to answer with.</summary>
    public int Status { get; }

    internal SignatureException(string code, string message)
        : base(message)
    {
        Code = code;
        Status = code switch
        {
            "no_secret" or "invalid_option" or "body_not_raw" => 500,
            "invalid_json" or "invalid_envelope" => 400,
            _ => 401,
        };
    }
}
